export { AppUsers as LiveTab } from './app-users.tsx'
