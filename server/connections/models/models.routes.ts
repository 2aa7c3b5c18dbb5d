import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { findLocalModels } from './local.ts'
import { discoverModels } from './discover.ts'
import {
  LocalModels,
  ModelConnectionChange,
  ModelConnectionRecord,
  ModelFinding,
  ModelQuestion,
  ModelTest,
  NewModelConnection,
} from './record.ts'
import * as models from './models.ts'

export const modelConnectionRoutes = group('Connections', {
  listModelConnections: endpoint({
    route: 'GET /connections/models',
    scope: 'session',
    summary: 'List the connected models',
    returns: z.array(ModelConnectionRecord),
    handle: ({ ctx }) => models.listModelConnections(ctx),
  }),
  createModelConnection: endpoint({
    route: 'POST /connections/models',
    scope: 'session',
    role: 'admin',
    needs: ['accounts', 'config'],
    summary: 'Connect a model',
    description:
      'The key is stored encrypted and never shown again. The first connection becomes the default.',
    body: NewModelConnection,
    returns: ModelConnectionRecord,
    fails: ['conflict'],
    handle: ({ ctx, body }) => models.createModelConnection(ctx, body),
  }),
  lookForModels: endpoint({
    route: 'POST /connections/models/look',
    scope: 'session',
    role: 'admin',
    needs: ['config'],
    summary: 'Find the models behind a key or an address',
    description:
      'Returns the provider, its models with a recommended one, and the result of one small call to that model. Nothing is stored.',
    body: ModelQuestion,
    returns: ModelFinding,
    fails: ['model_error'],
    // Limited, because every look-up calls another service.
    limit: { counter: 'model-look', per: 'user', perMinute: 30 },
    handle: ({ ctx, body }) => discoverModels(ctx, body),
  }),
  listLocalModels: endpoint({
    route: 'GET /connections/models/local',
    scope: 'session',
    role: 'admin',
    needs: ['config'],
    summary: 'List the model servers on the machine of the service',
    description: 'Tries only addresses that the operator has allowed, and names the setting for the others.',
    returns: LocalModels,
    handle: ({ ctx }) => findLocalModels(ctx),
  }),
  updateModelConnection: endpoint({
    route: 'PATCH /connections/models/:id',
    scope: 'session',
    role: 'admin',
    needs: ['accounts', 'config'],
    summary: 'Change a model connection',
    body: ModelConnectionChange,
    returns: ModelConnectionRecord,
    handle: ({ ctx, params, body }) => models.updateModelConnection(ctx, params.id, body),
  }),
  deleteModelConnection: endpoint({
    route: 'DELETE /connections/models/:id',
    scope: 'session',
    role: 'admin',
    summary: 'Disconnect a model',
    returns: z.object({ id: z.string(), deleted: z.literal(true) }),
    handle: ({ ctx, params }) => models.deleteModelConnection(ctx, params.id),
  }),
  testModelConnection: endpoint({
    route: 'POST /connections/models/:id/test',
    scope: 'session',
    role: 'admin',
    needs: ['accounts'],
    summary: 'Make one small call to a connected model',
    returns: ModelTest,
    fails: ['model_error'],
    handle: ({ ctx, params }) => models.testModelConnection(ctx, params.id),
  }),
})
