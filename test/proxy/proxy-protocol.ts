/** What the proxies' README.md adds to each file if a balancer in front passes on addresses by the PROXY protocol. */
export const withProxyProtocol = {
  haproxy: (file: string) => file.replaceAll(/^ +bind .* ssl .*$/gm, "$& accept-proxy"),
  nginx: (file: string) =>
    file.replaceAll(
      /^( +listen .*);$/gm,
      "$1 proxy_protocol;\nset_real_ip_from 127.0.0.1;\nreal_ip_header proxy_protocol;",
    ),
  envoy: (file: string) => file.replaceAll(/^( +)filter_chains:$/gm, `$1${LISTENER_FILTERS}\n$&`),
};

const LISTENER_FILTERS = `listener_filters: [{ name: proxy_protocol, typed_config: {
  "@type": type.googleapis.com/envoy.extensions.filters.listener.proxy_protocol.v3.ProxyProtocol } }]`;
