#include "view/secret.h"

#include <sys/random.h>

bool view_secret_make(char secret[VIEW_SECRET_LENGTH + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[VIEW_SECRET_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        secret[2 * i] = digits[bytes[i] >> 4];
        secret[2 * i + 1] = digits[bytes[i] & 15];
    }
    secret[VIEW_SECRET_LENGTH] = '\0';
    return true;
}

bool view_secret_equal(const char secret[VIEW_SECRET_LENGTH + 1], const char *given,
                       size_t length) {
    if (length != VIEW_SECRET_LENGTH) {
        return false;
    }
    unsigned difference = 0;
    for (size_t i = 0; i < VIEW_SECRET_LENGTH; i++) {
        difference |= (unsigned)((unsigned char)secret[i] ^ (unsigned char)given[i]);
    }
    return difference == 0;
}
