// Loads the library named by the argument, has it acquire its mutex 42 times, and unloads it, twice over.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    for (int i = 0; i < 2; i++) {
        void *plugin = dlopen(argc > 1 ? argv[1] : "./plugin.so", RTLD_NOW);
        if (!plugin) {
            puts(dlerror());
            return 1;
        }
        void (*acquire)(int) = (void (*)(int))dlsym(plugin, "plugin_acquire");
        acquire(42);
        dlclose(plugin);
    }
    puts("unloaded");
    return 0;
}
