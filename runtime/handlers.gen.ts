export const routeModule: object = {}
