"""What each generator would publish, one file a generator. `base` tells how to add one."""
