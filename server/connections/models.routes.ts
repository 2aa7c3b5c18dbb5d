import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'
import {
  ModelConnectionChange,
  ModelConnectionRecord,
  ModelTest,
  NewModelConnection,
} from './model-record.ts'
import * as models from './models.ts'

export const modelConnectionRoutes = group('Connections', {
  listModelConnections: endpoint({
    route: 'GET /connections/models',
    scope: 'session',
    summary: 'The connected models',
    returns: z.array(ModelConnectionRecord),
    handle: ({ ctx }) => models.listModelConnections(ctx),
  }),
  createModelConnection: endpoint({
    route: 'POST /connections/models',
    scope: 'session',
    role: 'admin',
    summary: 'Connect a model',
    description:
      'The key is stored encrypted and never shown again. The first connection becomes the default.',
    body: NewModelConnection,
    returns: ModelConnectionRecord,
    fails: ['conflict'],
    handle: ({ ctx, body }) => models.createModelConnection(ctx, body),
  }),
  updateModelConnection: endpoint({
    route: 'PATCH /connections/models/:id',
    scope: 'session',
    role: 'admin',
    summary: 'Change a model connection',
    body: ModelConnectionChange,
    returns: ModelConnectionRecord,
    fails: ['not_found'],
    handle: ({ ctx, params, body }) => models.updateModelConnection(ctx, params.id, body),
  }),
  deleteModelConnection: endpoint({
    route: 'DELETE /connections/models/:id',
    scope: 'session',
    role: 'admin',
    summary: 'Disconnect a model',
    returns: z.object({ id: z.string(), deleted: z.literal(true) }),
    fails: ['not_found'],
    handle: ({ ctx, params }) => models.deleteModelConnection(ctx, params.id),
  }),
  testModelConnection: endpoint({
    route: 'POST /connections/models/:id/test',
    scope: 'session',
    role: 'admin',
    summary: 'Make one small call to a connected model',
    returns: ModelTest,
    fails: ['not_found', 'model_error'],
    handle: ({ ctx, params }) => models.testModelConnection(ctx, params.id),
  }),
})
