/**
 * A Miniflare plugin, loaded by the path of this file. It adds bindings that workerd has and Miniflare does not
 * offer, such as a queue served by an internal worker.
 */

interface PluginOptions {
  config: { env?: Record<string, { type: string; binding?: object }> }
}

export const NATIVE_TYPE = 'unsafe:native'
export const NATIVE_PLUGIN = 'slipway-native'

export const plugins = {
  [NATIVE_PLUGIN]: {
    bindingTypeDescription: 'Native',
    getBindings: ({ config }: PluginOptions) =>
      Object.entries(config.env ?? {})
        .filter(([, { type }]) => type === NATIVE_TYPE)
        .map(([name, { binding }]) => ({ name, ...binding })),
    getNodeBindings: () => ({}),
    getServices: async () => [],
  },
}
