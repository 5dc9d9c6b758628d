export default function Layout({ children }) {
  return (<html lang="en"><body><main>{children}</main></body></html>);
}
