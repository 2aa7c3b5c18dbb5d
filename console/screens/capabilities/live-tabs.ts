// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import { LiveTab as ai } from './ai/live-tab.ts'
import { LiveTab as auth } from './auth/live-tab.ts'
import { LiveTab as call } from './call/live-tab.ts'
import { LiveTab as connect } from './connect/live-tab.ts'
import { LiveTab as data } from './data/live-tab.ts'
import { LiveTab as email } from './email/live-tab.ts'
import { LiveTab as events } from './events/live-tab.ts'
import { LiveTab as files } from './files/live-tab.ts'
import { LiveTab as flow } from './flow/live-tab.ts'
import { LiveTab as hook } from './hook/live-tab.ts'
import { LiveTab as meter } from './meter/live-tab.ts'
import { LiveTab as pay } from './pay/live-tab.ts'
import { LiveTab as render } from './render/live-tab.ts'
import { LiveTab as schedule } from './schedule/live-tab.ts'
import { LiveTab as team } from './team/live-tab.ts'
import { LiveTab as video } from './video/live-tab.ts'

/** The tab of each capability that shows data of the live app. */
export const LIVE_TABS = {
  auth,
  team,
  data,
  files,
  email,
  ai,
  pay,
  call,
  schedule,
  flow,
  connect,
  hook,
  render,
  video,
  events,
  meter,
} as const
