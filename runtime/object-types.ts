// Made by `npm run generate` from the folders of the capabilities. Do not edit.
import type * as auth from './auth/object-types.ts'
import type * as connect from './connect/object-types.ts'
import type * as data from './data/object-types.ts'
import type * as directory from './directory/object-types.ts'
import type * as email from './email/object-types.ts'
import type * as events from './events/object-types.ts'
import type * as files from './files/object-types.ts'
import type * as hook from './hook/object-types.ts'
import type * as live from './live/object-types.ts'
import type * as meter from './meter/object-types.ts'
import type * as pay from './pay/object-types.ts'
import type * as push from './push/object-types.ts'
import type * as queue from './queue/object-types.ts'
import type * as schedule from './schedule/object-types.ts'
import type * as team from './team/object-types.ts'
import type * as video from './video/object-types.ts'

declare module './kernel/objects/objects.ts' {
  interface AppObjectStub
    extends
      auth.Methods,
      team.Methods,
      data.Methods,
      files.Methods,
      email.Methods,
      pay.Methods,
      live.Methods,
      schedule.Methods,
      queue.Methods,
      connect.Methods,
      hook.Methods,
      video.Methods,
      push.Methods,
      events.Methods,
      meter.Methods,
      directory.Methods {}
  interface PartitionHead
    extends
      auth.Head,
      team.Head,
      email.Head,
      live.Head,
      schedule.Head,
      connect.Head,
      hook.Head,
      push.Head,
      meter.Head {}
}
