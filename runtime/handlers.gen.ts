export const routeModule: object = {}
export const jobModules: Readonly<Record<string, { default?: unknown }>> = {}
