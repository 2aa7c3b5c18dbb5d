export { EventFigures as LiveTab } from './event-figures.tsx'
