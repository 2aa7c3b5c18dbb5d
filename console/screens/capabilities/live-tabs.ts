// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import { AiBudget } from './ai/live-tab.tsx'
import { aiText } from './ai/text.en.ts'
import { AppUsers } from './auth/live-tab.tsx'
import { usersText } from './auth/text.en.ts'
import { RunningCalls } from './call/live-tab.tsx'
import { callText } from './call/text.en.ts'
import { ConnectServices } from './connect/live-tab.tsx'
import { connectText } from './connect/text.en.ts'
import { Collections } from './data/live-tab.tsx'
import { dataText } from './data/text.en.ts'
import { MailSetup } from './email/live-tab.tsx'
import { emailText } from './email/text.en.ts'
import { EventFigures } from './events/live-tab.tsx'
import { eventsText } from './events/text.en.ts'
import { FileObjects } from './files/live-tab.tsx'
import { filesText } from './files/text.en.ts'
import { FlowRuns } from './flow/live-tab.tsx'
import { flowText } from './flow/text.en.ts'
import { HookEndpoints } from './hook/live-tab.tsx'
import { hookText } from './hook/text.en.ts'
import { MeterUsage } from './meter/live-tab.tsx'
import { meterText } from './meter/text.en.ts'
import { Payments } from './pay/live-tab.tsx'
import { payText } from './pay/text.en.ts'
import { RenderSpend } from './render/live-tab.tsx'
import { renderText } from './render/text.en.ts'
import { ScheduledJobs } from './schedule/live-tab.tsx'
import { scheduleText } from './schedule/text.en.ts'
import { AppTeams } from './team/live-tab.tsx'
import { teamText } from './team/text.en.ts'
import { Videos } from './video/live-tab.tsx'
import { videoText } from './video/text.en.ts'

/** The tab of each capability that shows data of the live app. */
export const LIVE_TABS = {
  auth: { title: usersText.tab, Tab: AppUsers },
  team: { title: teamText.tab, Tab: AppTeams },
  data: { title: dataText.tab, Tab: Collections },
  files: { title: filesText.tab, Tab: FileObjects },
  email: { title: emailText.tab, Tab: MailSetup },
  ai: { title: aiText.tab, Tab: AiBudget },
  pay: { title: payText.tab, Tab: Payments },
  call: { title: callText.tab, Tab: RunningCalls },
  schedule: { title: scheduleText.tab, Tab: ScheduledJobs },
  flow: { title: flowText.tab, Tab: FlowRuns },
  connect: { title: connectText.tab, Tab: ConnectServices },
  hook: { title: hookText.tab, Tab: HookEndpoints },
  render: { title: renderText.tab, Tab: RenderSpend },
  video: { title: videoText.tab, Tab: Videos },
  events: { title: eventsText.tab, Tab: EventFigures },
  meter: { title: meterText.tab, Tab: MeterUsage },
} as const
