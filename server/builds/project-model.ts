import * as z from 'zod'
import { type ChosenModel, chooseModel, findModelConnectionForShare } from '../connections/models/access.ts'
import { transact, type Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import { invalid, notFound } from '../http/errors.ts'
import { loadProject } from '../projects/projects.ts'
import { changeProject, findProjectForShare } from '../projects/store.ts'

export const ProjectModel = z
  .object({ connectionId: z.string(), provider: z.string(), model: z.string(), inherited: z.boolean() })
  .meta({ id: 'ProjectModel' })

/** Either `inherit` for the organization's default model, or a connection and one of its models. */
export const ProjectModelChoice = z.object({
  inherit: z.boolean().optional(),
  connectionId: z.string().optional(),
  model: z.string().trim().min(1).max(200).optional(),
})

export async function readProjectModel(
  ctx: CallerContext<'db'>,
  projectId: string,
): Promise<z.output<typeof ProjectModel>> {
  return modelChoice(await chooseModel(ctx.db, await loadProject(ctx, projectId)))
}

/** Sets the model of a project, or resets it to the organization's default. Running builds keep their model. */
export async function setProjectModel(
  ctx: CallerContext<'db' | 'clock'>,
  projectId: string,
  choice: z.output<typeof ProjectModelChoice>,
): Promise<z.output<typeof ProjectModel>> {
  const key = { orgId: ctx.caller.organizationId, projectId }
  await loadProject(ctx, projectId)
  const chosen = readChoice(choice)
  return await transact(ctx.db, async (trx) => {
    const project = await findProjectForShare(trx, key)
    if (project === null) throw notFound('project')
    if (chosen.model_connection_id !== null) await requireModel(trx, key.orgId, chosen)
    const model = await chooseModel(trx, { ...project, ...chosen })
    await changeProject(trx, key, { ...chosen, updated_at: ctx.clock.now() })
    return modelChoice(model)
  })
}

function readChoice(choice: z.output<typeof ProjectModelChoice>) {
  if (choice.inherit === true) return { model_connection_id: null, model: null }
  if (choice.connectionId === undefined) throw invalid('connectionId', 'is required unless inherit is true')
  if (choice.model === undefined) throw invalid('model', 'is required with connectionId')
  return { model_connection_id: choice.connectionId, model: choice.model }
}

/** Throws 400 unless the connection offers the model. Keeps the connection from being deleted until the transaction ends. */
async function requireModel(
  trx: Trx,
  orgId: string,
  chosen: { model_connection_id: string; model: string },
): Promise<void> {
  const row = await findModelConnectionForShare(trx, orgId, chosen.model_connection_id)
  if (row === null) throw invalid('connectionId', 'is not a model connection of this organization')
  // A connection without a list of models accepts any name, because only the provider knows its models.
  if (row.models.length > 0 && ![...row.models, row.default_model].includes(chosen.model))
    throw invalid('model', `is none of the connection's models: ${row.models.join(', ')}`)
}

const modelChoice = ({ connection, modelId, inherited }: ChosenModel) => ({
  connectionId: connection.id,
  provider: connection.provider,
  model: modelId,
  inherited,
})
