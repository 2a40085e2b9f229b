// Tells Swift's runtime that the thread sanitizer is there, so that it tells it of tasks and actors.
//
// The runtime has a function for that, which the sanitizer calls at its start. In a program of Linux the sanitizer finds
// its own empty default of it first, and the runtime is never told (docs/decisions/0009-sanitizers.md).
#define _GNU_SOURCE
#include <dlfcn.h>

__attribute__((constructor)) static void tell(void)
{
    // Programs without the sanitizer are left alone.
    if (!dlsym(RTLD_DEFAULT, "__tsan_acquire"))
        return;
    void *core = dlopen("libswiftCore.so", RTLD_LAZY | RTLD_NOLOAD);
    void (*initialized)(void) = core ? (void (*)(void))dlsym(core, "__tsan_on_initialize") : 0;
    if (initialized)
        initialized();
}
