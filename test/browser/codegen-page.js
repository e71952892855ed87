import { codegen, compileWhere } from '../../dist/index.js';

function evaluate(options) {
  try {
    return compileWhere('properties["plan"] == "pro"', options)({ plan: 'pro' });
  } catch (error) {
    return error.message;
  }
}

globalThis.results = { closures: evaluate({}), codegen: evaluate({ engine: codegen }) };
