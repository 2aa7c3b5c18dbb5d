export { Videos as LiveTab } from './videos.tsx'
