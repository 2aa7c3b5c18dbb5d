export { FileObjects as LiveTab } from '../file-objects.tsx'
