export { RunningCalls as LiveTab } from './running-calls.tsx'
