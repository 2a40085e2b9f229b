#ifndef REFRESHD_CPCRE2_H
#define REFRESHD_CPCRE2_H
/// Code units of 8 bits; without it the names of the library stand for nothing.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
