export { MailSetup as LiveTab } from './mail-setup.tsx'
