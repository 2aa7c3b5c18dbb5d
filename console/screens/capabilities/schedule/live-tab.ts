export { ScheduledJobs as LiveTab } from './scheduled-jobs.tsx'
