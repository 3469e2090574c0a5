/**
 * @module proxy
 * Takes addresses of services; gives an address for each that hands everything on, both ways and byte for byte, and hands every exchange
 * to an observer once it is over. Imports types of the evidence and trouble only. The command line starts it.
 */
export {
  type ProxyParameters,
  type ProxyRoute,
  type RunningProxy,
  startProxy,
} from './start-proxy.ts';
