export { FlowRuns as LiveTab } from './flow-runs.tsx'
