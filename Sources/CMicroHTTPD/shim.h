// libmicrohttpd, with one starter for the options that we use in the place of its variadic one.
#ifndef REFRESHD_CMICROHTTPD_H
#define REFRESHD_CMICROHTTPD_H

#include <microhttpd.h>

/// Everything the daemon asks of libmicrohttpd at start; a zero callback leaves that option out.
struct refreshd_mhd_options {
    int listen_socket;
    unsigned int connection_limit;
    size_t connection_memory;
    unsigned int idle_timeout_seconds;
    void *context;
    MHD_AccessHandlerCallback handler;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    void *(*uri_logger)(void *context, const char *uri, struct MHD_Connection *connection);
    MHD_LogCallback log;
};

/// Starts a daemon without threads of its own on a bound socket, driven through its epoll descriptor.
static inline struct MHD_Daemon *refreshd_mhd_start(const struct refreshd_mhd_options *o) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, o->handler, o->context,
        MHD_OPTION_EXTERNAL_LOGGER, o->log, o->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)o->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, o->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_timeout_seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, o->completed, o->context,
        MHD_OPTION_NOTIFY_CONNECTION, o->connection_changed, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->uri_logger, o->context,
        MHD_OPTION_END);
}

/// The epoll descriptor of a daemon started above, or -1.
static inline int refreshd_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? (int)info->listen_fd : -1;
}

/// The socket of a connection, or -1.
static inline int refreshd_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

/// What the connection's start was given as context, or NULL.
static inline void *refreshd_mhd_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// The bytes of the request's head, or 0 before it is complete.
static inline size_t refreshd_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

#endif
