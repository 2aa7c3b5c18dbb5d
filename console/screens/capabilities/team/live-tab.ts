export { AppTeams as LiveTab } from './app-teams.tsx'
