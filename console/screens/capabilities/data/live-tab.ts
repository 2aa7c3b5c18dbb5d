export { Collections as LiveTab } from '../collections.tsx'
