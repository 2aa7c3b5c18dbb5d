export { AiBudget as LiveTab } from './ai-budget.tsx'
