export { RenderSpend as LiveTab } from './render-spend.tsx'
