// Makes chosen calls on the files below a folder fail, in a process that loads this library before
// its own (`LD_PRELOAD`). The children of the process are not affected.
//
// `FAILING_CALLS` is a folder with the file `control`, which a test may change at any time, and the
// file `calls`, to which each call is appended: its outcome, name and path. `FAILING_BELOW` is the
// folder of the files.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The calls with the numbers `first` to `last` fail with `error`. Without an error, those that write
// write only half of their bytes.
static struct control {
    atomic_long count, first, last, error;
} *control;

static int calls = -1;
static char below[PATH_MAX];

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("FAILING_CALLS"), *files = getenv("FAILING_BELOW");
    char path[PATH_MAX];
    if (!folder || !files) return;
    snprintf(below, sizeof below, "%s", files);
    snprintf(path, sizeof path, "%s/control", folder);
    int file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/calls", folder);
    calls = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED || calls < 0) abort();
    control = shared;
    unsetenv("LD_PRELOAD");
}

// A full disk refuses what needs room, and cuts off only what writes.
enum need { NO_ROOM, ROOM, ROOM_FOR_BYTES };
enum outcome { PASSED, CUT_OFF, FAILED };

// Counts a call, and decides about it.
static enum outcome decide(const char *name, const char *path, enum need need) {
    size_t length = strlen(below);
    if (!control || strncmp(path, below, length) || (path[length] && path[length] != '/')) return PASSED;
    long number = atomic_fetch_add(&control->count, 1) + 1, error = control->error;
    int may_fail = error == 0 ? need == ROOM_FOR_BYTES : error != ENOSPC || need != NO_ROOM;
    int fails = may_fail && number >= control->first && number <= control->last;
    char line[PATH_MAX + 64];
    int written = snprintf(line, sizeof line, "%s %s %s\n", fails ? "failed" : "passed", name, path);
    syscall(SYS_write, calls, line, written);
    if (!fails) return PASSED;
    if (!error) return CUT_OFF;
    errno = error;
    return FAILED;
}

// Decides about a call on a file in an open folder, or on the open file itself.
static enum outcome decide_at(const char *name, int folder, const char *file, enum need need) {
    char link[32], path[2 * PATH_MAX];
    if (!control) return PASSED;
    if (file && (*file == '/' || folder == AT_FDCWD)) return decide(name, file, need);
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, PATH_MAX);
    if (length < 0) return PASSED;
    snprintf(path + length, sizeof path - length, file ? "/%s" : "", file);
    return decide(name, path, need);
}

// Defines a function that fails, or calls the function of the next library.
#define REPLACE(result, name, parameters, arguments, folder, file, need)                 \
    result name parameters {                                                             \
        if (decide_at(#name, folder, file, need) == FAILED) return -1;                   \
        return ((result(*) parameters)dlsym(RTLD_NEXT, #name))arguments;                 \
    }

// The same for functions that write `size` bytes to `fd`.
#define REPLACE_WRITE(name, parameters, arguments)                                       \
    ssize_t name parameters {                                                            \
        enum outcome outcome = decide_at(#name, fd, NULL, size > 1 ? ROOM_FOR_BYTES : ROOM); \
        if (outcome == FAILED) return -1;                                                \
        if (outcome == CUT_OFF) size /= 2;                                               \
        return ((ssize_t(*) parameters)dlsym(RTLD_NEXT, #name))arguments;                \
    }

// The same for functions that open, whose last parameter is optional.
#define REPLACE_OPEN(name, parameters, arguments, folder)                                \
    int name parameters {                                                                \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;                \
        va_end(rest);                                                                    \
        if (decide_at(#name, folder, path, flags & O_CREAT ? ROOM : NO_ROOM) == FAILED) return -1; \
        return ((int(*) parameters)dlsym(RTLD_NEXT, #name))arguments;                    \
    }

REPLACE_OPEN(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
REPLACE_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
REPLACE_OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode), at)
REPLACE_OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode), at)

REPLACE_WRITE(write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
REPLACE_WRITE(pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
REPLACE_WRITE(pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
REPLACE_WRITE(copy_file_range,
    (int from, off64_t *from_at, int fd, off64_t *at, size_t size, unsigned flags),
    (from, from_at, fd, at, size, flags))
REPLACE_WRITE(sendfile64, (int fd, int from, off64_t *at, size_t size), (fd, from, at, size))
REPLACE(ssize_t, writev, (int fd, const struct iovec *pieces, int num), (fd, pieces, num), fd, NULL, ROOM)
REPLACE(int, ftruncate64, (int fd, off64_t size), (fd, size), fd, NULL, ROOM)

REPLACE(int, fsync, (int fd), (fd), fd, NULL, ROOM)
REPLACE(int, fdatasync, (int fd), (fd), fd, NULL, ROOM)
REPLACE(int, sync_file_range, (int fd, off64_t at, off64_t size, unsigned flags), (fd, at, size, flags), fd, NULL, ROOM)

REPLACE(int, mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, ROOM)
REPLACE(int, chmod, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, NO_ROOM)
REPLACE(int, rename, (const char *path, const char *to), (path, to), AT_FDCWD, path, ROOM)
REPLACE(int, linkat, (int at, const char *path, int to_at, const char *to, int flags), (at, path, to_at, to, flags),
    to_at, to, ROOM)
REPLACE(int, unlink, (const char *path), (path), AT_FDCWD, path, NO_ROOM)
REPLACE(int, unlinkat, (int at, const char *path, int flags), (at, path, flags), at, path, NO_ROOM)
REPLACE(int, rmdir, (const char *path), (path), AT_FDCWD, path, NO_ROOM)
