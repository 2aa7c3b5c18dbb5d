import type { BrowserWorld } from '../world.ts'
import { codeScreens } from './code.ts'
import { ORGANIZATION_SCREENS } from './organization.ts'
import { projectScreens } from './project.ts'
import { runScreens } from './runs.ts'
import type { Screen } from './screen.ts'
import { SETTINGS_SCREENS } from './settings.ts'
import { ticketScreens } from './tickets.ts'

/** Builds a project as Ada and returns every screen of it and of the organization. */
export async function signedInScreens(world: BrowserWorld): Promise<Screen[]> {
  const { projectId } = await world.build('Track the plants in my office: name, room, last watered date')
  const runs = await world.person.call<{ items: { id: string }[] }>(`GET /projects/${projectId}/runs`)
  return [
    ...ORGANIZATION_SCREENS,
    ...SETTINGS_SCREENS,
    ...projectScreens(projectId),
    ...ticketScreens(projectId),
    ...codeScreens(projectId),
    ...runScreens(projectId, runs.items[0]?.id ?? ''),
  ]
}
