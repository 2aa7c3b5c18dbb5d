export { assets } from './url.ts'
