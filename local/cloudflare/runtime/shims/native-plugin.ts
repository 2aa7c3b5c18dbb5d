/**
 * A plugin of Miniflare, loaded by it under the path of this file: bindings that workerd has and Miniflare offers no
 * words for, such as a queue that is served by a worker of our own.
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
