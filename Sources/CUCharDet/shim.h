#ifndef REFRESHD_CUCHARDET_H
#define REFRESHD_CUCHARDET_H
#include <uchardet/uchardet.h>
#endif
