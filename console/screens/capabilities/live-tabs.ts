// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import { AiBudget } from './ai/live-tab.tsx'
import { AppUsers } from './auth/live-tab.tsx'
import { RunningCalls } from './call/live-tab.tsx'
import { ConnectServices } from './connect/live-tab.tsx'
import { Collections } from './data/live-tab.tsx'
import { MailSetup } from './email/live-tab.tsx'
import { EventFigures } from './events/live-tab.tsx'
import { FileObjects } from './files/live-tab.tsx'
import { FlowRuns } from './flow/live-tab.tsx'
import { HookEndpoints } from './hook/live-tab.tsx'
import { MeterUsage } from './meter/live-tab.tsx'
import { Payments } from './pay/live-tab.tsx'
import { RenderSpend } from './render/live-tab.tsx'
import { ScheduledJobs } from './schedule/live-tab.tsx'
import { AppTeams } from './team/live-tab.tsx'
import { Videos } from './video/live-tab.tsx'

/** The tab of each capability that shows data of the live app. */
export const LIVE_TABS = {
  auth: AppUsers,
  team: AppTeams,
  data: Collections,
  files: FileObjects,
  email: MailSetup,
  ai: AiBudget,
  pay: Payments,
  call: RunningCalls,
  schedule: ScheduledJobs,
  flow: FlowRuns,
  connect: ConnectServices,
  hook: HookEndpoints,
  render: RenderSpend,
  video: Videos,
  events: EventFigures,
  meter: MeterUsage,
} as const
