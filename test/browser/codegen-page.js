import { codegen, compileWhere } from '../../dist/index.js';

function answer(options) {
  try {
    return compileWhere('properties["plan"] == "pro"', options)({ plan: 'pro' });
  } catch (error) {
    return error.message;
  }
}

globalThis.answers = { closures: answer({}), codegen: answer({ engine: codegen }) };
