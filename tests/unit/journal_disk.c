/* A disk that fails on order and tells what it was asked, in order.
 *
 * Preloaded before Python; the test arms it through ctypes:
 *   disk_fail(call, nth, err)  the nth next `call` fails with `err`, and all after it
 *   disk_short(bytes)          the next pwrite to a segment writes only so many bytes
 *   disk_mark(text)            put a word between the calls
 *   disk_log()                 "call file" lines since the start
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char log_text[1 << 16];
static char failing[32];
static int fail_after = -1, fail_error, short_bytes = -1;

const char *disk_log(void) { return log_text; }

void disk_mark(const char *text) {
    strncat(log_text, text, sizeof log_text - strlen(log_text) - 2);
    strcat(log_text, "\n");
}

void disk_fail(const char *call, int nth, int error) {
    snprintf(failing, sizeof failing, "%s", call);
    fail_after = nth;
    fail_error = error;
}

void disk_short(int bytes) { short_bytes = bytes; }

static void note(const char *call, const char *path) {
    char line[512];
    const char *slash = strrchr(path, '/');
    snprintf(line, sizeof line, "%s %s", call, slash ? slash + 1 : path);
    disk_mark(line);
}

static void note_descriptor(const char *call, int descriptor) {
    char link[64], path[400] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, sizeof path - 1);
    path[size > 0 ? size : 0] = 0;
    note(call, path);
}

static int fails(const char *call) {
    if (fail_after < 0 || strcmp(call, failing)) return 0;
    if (fail_after > 1) { fail_after--; return 0; }
    errno = fail_error;
    return 1;
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t at) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    note_descriptor("pwrite", descriptor);
    if (fails("pwrite")) return -1;
    if (short_bytes >= 0) { size = short_bytes; short_bytes = -1; }
    return real(descriptor, data, size, at);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t at) {
    return pwrite64(descriptor, data, size, at);
}

int fdatasync(int descriptor) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
    note_descriptor("fdatasync", descriptor);
    return fails("fdatasync") ? -1 : real(descriptor);
}

int fsync(int descriptor) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    note_descriptor("fsync", descriptor);
    return fails("fsync") ? -1 : real(descriptor);
}

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    note("rename", to);
    return fails("rename") ? -1 : real(from, to);
}

int posix_fallocate64(int descriptor, off64_t at, off64_t size) {
    int (*real)(int, off64_t, off64_t) = dlsym(RTLD_NEXT, "posix_fallocate64");
    note_descriptor("fallocate", descriptor);
    return fails("fallocate") ? errno : real(descriptor, at, size);
}
