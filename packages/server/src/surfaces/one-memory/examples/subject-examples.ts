import type { RouteExample } from '../../../http/route.js';

export const subjectExamples: Readonly<Record<string, RouteExample>> = {
  'subjects.list': {
    response: {
      subjects: [
        {
          subject: 'me',
          aliases: [],
          facts: 2,
          current: 2,
        },
      ],
    },
  },
  'subjects.get': {
    params: {
      subject: 'me',
    },
    response: {
      subject: 'me',
      aliases: [],
      facts: [
        {
          id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
          subject: 'me',
          attribute: 'lives in',
          value: 'Oslo',
          text: 'me: lives in Oslo',
          valid_from: '2026-11-18T21:20:47.049Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:47.069Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: ['01a1f088-9bc9-7c13-a030-0dd1a9e51a94'],
        },
        {
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
          subject: 'me',
          attribute: 'employer',
          value: 'Acme',
          text: 'me: employer Acme',
          valid_from: '2026-11-18T21:20:48.029Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.029Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
      ],
      timeline: [
        {
          at: '2026-11-18T21:20:47.049Z',
          event: 'began',
          fact_id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
          attribute: 'lives in',
          value: 'Oslo',
          text: 'me: lives in Oslo',
          trust: 'user',
          evidence: ['01a1f088-9bc9-7c13-a030-0dd1a9e51a94'],
        },
        {
          at: '2026-11-18T21:20:48.029Z',
          event: 'began',
          fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
          attribute: 'employer',
          value: 'Acme',
          text: 'me: employer Acme',
          trust: 'user',
          evidence: [],
        },
      ],
      sources: [
        {
          id: '01a1f088-9bc9-7c13-a030-0dd1a9e51a94',
          text: 'I live in Oslo.',
          kind: 'note',
          occurred_at: '2026-11-18T21:20:47.049Z',
          recorded_at: '2026-11-18T21:20:47.049Z',
          trust: 'user',
          facts: ['01a1f088-9bdd-73c8-93b1-0486110a9d80'],
        },
      ],
      shortened: false,
    },
  },
  'subjects.merge': {
    params: {
      subject: 'Anna',
    },
    body: {
      with: 'Anna Berg',
    },
    response: {
      subject: 'Anna',
      aliases: ['Anna Berg'],
      facts: [
        {
          id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          subject: 'Anna',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          valid_from: '2026-11-18T21:20:48.629Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.629Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
      ],
      timeline: [
        {
          at: '2026-11-18T21:20:48.629Z',
          event: 'began',
          fact_id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          trust: 'user',
          evidence: [],
        },
      ],
      sources: [],
      shortened: false,
    },
  },
  'subjects.split': {
    params: {
      subject: 'Anna',
    },
    body: {
      alias: 'Anna Berg',
    },
    response: {
      subject: 'Anna',
      aliases: [],
      facts: [
        {
          id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          subject: 'Anna',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          valid_from: '2026-11-18T21:20:48.629Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.629Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
      ],
      timeline: [
        {
          at: '2026-11-18T21:20:48.629Z',
          event: 'began',
          fact_id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          trust: 'user',
          evidence: [],
        },
      ],
      sources: [],
      shortened: false,
    },
  },
};
