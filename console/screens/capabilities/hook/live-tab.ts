export { HookEndpoints as LiveTab } from './hook-endpoints.tsx'
