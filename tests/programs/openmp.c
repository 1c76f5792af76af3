// Four threads of OpenMP, of which the first has eight times as much to do: the others wait for it at the end of each region, which is no
// lock. Each also takes a critical section for a while, which is one.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static volatile double sink;

__attribute__((noinline)) static void uneven_region(void)
{
#pragma omp parallel num_threads(4)
	{
		int parts = omp_get_thread_num() ? 1 : 8;

		for (long i = 0; i < 500000L * parts; i++)
			sink = i * 0.5;
#pragma omp critical
		usleep(1000);
	}
}

int main(void)
{
	puts("ready");
	fflush(stdout);
	for (;;)
		uneven_region();
}
