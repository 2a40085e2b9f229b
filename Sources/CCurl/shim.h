// libcurl, with typed functions in the place of its variadic ones.
#ifndef REFRESHD_CCURL_H
#define REFRESHD_CCURL_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode refreshd_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode refreshd_setopt_off(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode refreshd_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode refreshd_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode refreshd_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
/// A macro that Swift does not see.
static const long refreshd_auth_digest = (long)CURLAUTH_DIGEST;

/// libcurl copies the bytes.
static inline CURLcode refreshd_setopt_blob(CURL *handle, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}
static inline CURLcode refreshd_setopt_data(
    CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode refreshd_setopt_opensocket(
    CURL *handle, curl_socket_t (*value)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode refreshd_setopt_prereq(
    CURL *handle, int (*value)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode refreshd_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode refreshd_getinfo_off(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode refreshd_getinfo_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode refreshd_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode refreshd_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The family of the address that libcurl is about to connect to, and its 4 or 16 bytes where it is an IP address.
static inline int refreshd_address_bytes(const struct curl_sockaddr *address, unsigned char *bytes) {
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
    } else if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
    } else if (address->family == AF_INET || address->family == AF_INET6) {
        return AF_UNSPEC;
    }
    return address->family;
}

/// The same for an address in text; AF_UNSPEC where it is none.
static inline int refreshd_parse_address(const char *text, unsigned char *bytes) {
    if (inet_pton(AF_INET, text, bytes) == 1) return AF_INET;
    return inet_pton(AF_INET6, text, bytes) == 1 ? AF_INET6 : AF_UNSPEC;
}

/// The socket that libcurl wants, closed on exec: child processes must not inherit connections.
static inline curl_socket_t refreshd_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#endif
