export { Payments as LiveTab } from './payments.tsx'
