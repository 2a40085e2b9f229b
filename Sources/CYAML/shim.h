#ifndef REFRESHD_CYAML_H
#define REFRESHD_CYAML_H
#include <yaml.h>
#endif
