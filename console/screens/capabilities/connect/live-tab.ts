export { ConnectServices as LiveTab } from './connect-services.tsx'
