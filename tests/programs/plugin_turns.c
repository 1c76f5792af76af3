// Loads the libraries named by the arguments one after another, three times over, and unloads each before the next comes,
// which then has its addresses. The first has its mutex acquired 10 times a turn, the second 20 times, and so on.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 1; i < argc; i++) {
            void *plugin = dlopen(argv[i], RTLD_NOW);
            if (!plugin) {
                puts(dlerror());
                return 1;
            }
            void (*acquire)(int) = (void (*)(int))dlsym(plugin, "plugin_acquire");
            acquire(10 * i);
            dlclose(plugin);
        }
    }
    return 0;
}
