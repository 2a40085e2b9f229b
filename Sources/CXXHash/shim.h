#ifndef REFRESHD_CXXHASH_H
#define REFRESHD_CXXHASH_H
#include <xxhash.h>
#endif
