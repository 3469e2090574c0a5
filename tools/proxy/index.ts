/**
 * @module proxy
 * Takes addresses of services; gives an address for each that hands everything on, both ways and byte for byte, and hands every exchange
 * to an observer once it is over. Imports types of the contract and trouble only. The command line starts it.
 */
export {
  type ProxiedExchange,
  type ProxyParameters,
  type ProxyRoute,
  type RunningProxy,
  startProxy,
} from './start-proxy.ts';
