/* Preloaded, it makes each flush of the disk take 5 ms longer, as a slow disk would. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

static int slowly(const char *name, int descriptor) {
  int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  usleep(5000);
  return flush(descriptor);
}

int fsync(int descriptor) { return slowly("fsync", descriptor); }
int fdatasync(int descriptor) { return slowly("fdatasync", descriptor); }
