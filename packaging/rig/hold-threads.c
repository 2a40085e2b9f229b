// Stops single threads of a process, as a call that never returns would, and holds them until it is killed.
// Usage: hold-threads PID api|store|scheduler
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// Those of the scheduler's pool are named after their queue: the end of "com.apple.root.default-qos" and the like.
static int is_wanted(const char *wanted, const char *name) {
    return strcmp(wanted, "scheduler") == 0 ? strstr(name, "qos") != 0 : strcmp(wanted, name) == 0;
}

int main(int count, char **words) {
    if (count != 3) return 64;
    int is_pool = strcmp(words[2], "scheduler") == 0;
    char path[300], name[64];
    snprintf(path, sizeof path, "/proc/%s/task", words[1]);
    DIR *tasks = opendir(path);
    if (!tasks) return 1;
    int held = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        if (task->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%s/task/%s/comm", words[1], task->d_name);
        FILE *file = fopen(path, "r");
        if (!file || !fgets(name, sizeof name, file)) continue;
        fclose(file);
        name[strcspn(name, "\n")] = 0;
        int wanted = is_wanted(words[2], name);
        if (!wanted && !is_pool) continue;
        pid_t thread = atoi(task->d_name);
        // A pool of which every thread hangs makes new ones: those stop as they begin.
        if (ptrace(PTRACE_SEIZE, thread, 0, is_pool ? PTRACE_O_TRACECLONE : 0) != 0) return perror("seize"), 1;
        if (wanted && ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) return perror("interrupt"), 1;
        held += wanted;
    }
    if (held == 0 && !is_pool) return 2;
    printf("%d held\n", held);
    fflush(stdout);
    for (int status; ;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) return 0;
        if (!WIFSTOPPED(status) || status >> 16 == PTRACE_EVENT_STOP) continue;
        // Whoever made a thread goes on, and so does whoever gets a signal.
        ptrace(PTRACE_CONT, thread, 0, status >> 16 ? 0 : WSTOPSIG(status));
    }
}
