export { MeterUsage as LiveTab } from './meter-usage.tsx'
