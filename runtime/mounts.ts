// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import { mount as ai } from './ai/mount.ts'
import { mount as assets } from './assets/mount.ts'
import { mount as auth } from './auth/mount.ts'
import { mount as connect } from './connect/mount.ts'
import { mount as data } from './data/mount.ts'
import { mount as events } from './events/mount.ts'
import { mount as files } from './files/mount.ts'
import { mount as guard } from './guard/mount.ts'
import { mount as hook } from './hook/mount.ts'
import { mount as live } from './live/mount.ts'
import { mount as meter } from './meter/mount.ts'
import { mount as pay } from './pay/mount.ts'
import { mount as push } from './push/mount.ts'
import { mount as schedule } from './schedule/mount.ts'
import { mount as team } from './team/mount.ts'
import { mount as video } from './video/mount.ts'
import type { Mount } from './kernel/worker/mount.ts'

export const MOUNTS: Readonly<Record<string, Mount>> = {
  auth,
  team,
  data,
  files,
  assets,
  ai,
  pay,
  live,
  schedule,
  connect,
  hook,
  video,
  push,
  events,
  guard,
  meter,
}
